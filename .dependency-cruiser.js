/**
 * The import rule of ARCHITECTURE.md, checked in `npm test`. A rule's name says what is forbidden, its comment why.
 * tools/import-rule.ts also runs it over tools/fixtures/import-rule, where each rule must be broken once.
 */
const room = (name) => `^apps/server/src/${name}/`;
const rooms = (...names) => names.map(room);
/** Tests may use whatever they need. */
const NOT_TESTS = "\\.test\\.ts$";
/** Packages without I/O that the service and its page share. */
const SHARED = "^packages/(contract|markdown)/src/";
const OURS = "^(apps|packages|tools)/";
const DEPENDENCIES = "node_modules/";

/** Within the server, `from` may import itself, what is shared and `allowed`, nothing else. */
const only = (from, allowed, comment) => ({
  name: `${from}-imports-only-${allowed.join("-and-")}`,
  comment,
  severity: "error",
  from: { path: room(from), pathNot: NOT_TESTS },
  to: { path: OURS, pathNot: [DEPENDENCIES, room(from), SHARED, ...rooms(...allowed)] },
});

const DASHBOARD = "^apps/dashboard/src/";
const dashboardRooms = (...names) => names.map((name) => `${DASHBOARD}${name}/`);
/** Within the dashboard, `from` may import itself and `allowed`, types included. Tests keep to it too. */
const dashboardOnly = (from, allowed, comment) => ({
  name: `dashboard-${from}-imports-only-${allowed.length === 0 ? "packages" : allowed.join("-and-")}`,
  comment,
  severity: "error",
  from: { path: dashboardRooms(from) },
  to: { path: DASHBOARD, pathNot: dashboardRooms(from, ...allowed) },
});

export default {
  forbidden: [
    {
      name: "domain-imports-only-packages",
      comment: "Rules know nothing of where things are stored or who asks: they can be read and tested alone.",
      severity: "error",
      from: { path: room("domain"), pathNot: NOT_TESTS },
      to: { path: OURS, pathNot: [DEPENDENCIES, room("domain"), SHARED] },
    },
    only("ports", ["domain"], "A port is said in words of the domain, so that any adapter can serve it."),
    only("present", ["domain", "ports"], "How readers see posts is one matter, whoever shows them: the read path, a webhook or an event."),
    only(
      "operations",
      ["present", "domain", "ports"],
      "An operation does not know its transport nor its store: HTTP, MCP and jobs run the same one.",
    ),
    only("delivery", ["present", "domain", "ports"], "The read path stays short and can never reach an operation that changes something."),
    only("usage", ["domain", "ports"], "What is counted and when its owner is warned does not depend on how requests come in."),
    only(
      "worker",
      ["operations", "present", "domain", "ports"],
      "A job does nothing a person could not do: it calls the same operations, and a webhook shows a post as the read path does.",
    ),
    only(
      "http",
      ["operations", "delivery", "usage", "domain"],
      "A transport parses, calls one operation and answers; it never goes around them to a store.",
    ),
    only("mcp", ["operations", "delivery", "domain"], "As http."),
    {
      name: "transports-are-given-no-store",
      comment: "A transport runs operations through TransportServices, which holds no store: what it reads is what its actor may read. ",
      severity: "error",
      from: { path: rooms("http", "mcp"), pathNot: NOT_TESTS },
      to: { path: [...rooms("ports"), "^apps/server/src/operations/kernel/(services|execute)\\.ts$"] },
    },
    {
      name: "transports-never-import-each-other",
      comment: "What several of them use is in http/shared. Of the dispatcher they know what a handler is.",
      severity: "error",
      from: { path: `${room("http")}(cli|dashboard|delivery|docs|mcp|oauth)/`, pathNot: NOT_TESTS },
      to: { path: room("http"), pathNot: [`${room("http")}$1/`, `${room("http")}shared/`, `${room("http")}dispatcher\\.ts$`] },
    },
    {
      name: "http-shared-imports-no-transport",
      comment: "It lies below them.",
      severity: "error",
      from: { path: room("http/shared"), pathNot: NOT_TESTS },
      to: { path: room("http"), pathNot: room("http/shared") },
    },
    {
      name: "only-http-oauth-is-given-the-oauth-records",
      comment: "The OAuth library keeps its records through us; no other transport has a use for them.",
      severity: "error",
      from: { path: rooms("http", "mcp"), pathNot: [NOT_TESTS, "^apps/server/src/http/oauth/"] },
      to: { path: "^apps/server/src/operations/connections/helpers/oauth-services\\.ts$" },
    },
    {
      name: "adapters-import-only-domain-and-ports",
      comment: "An adapter translates between a port and one outside thing.",
      severity: "error",
      from: { path: room("adapters"), pathNot: NOT_TESTS },
      to: { path: OURS, pathNot: [DEPENDENCIES, room("adapters"), SHARED, ...rooms("domain", "ports")] },
    },
    {
      name: "adapters-never-import-each-other",
      comment: "One adapter can be removed without touching another.",
      severity: "error",
      from: { path: `${room("adapters")}([^/]+)/`, pathNot: NOT_TESTS },
      to: { path: room("adapters"), pathNot: `${room("adapters")}$1/` },
    },
    {
      name: "only-http-oauth-knows-the-oauth-library",
      comment: "What it does by default is not what we promise: our door and our settings stand before every use of it.",
      severity: "error",
      from: { path: "^apps/server/src/", pathNot: "^apps/server/src/http/oauth/" },
      to: { path: "node_modules/oidc-provider/" },
    },
    {
      name: "only-the-process-that-decodes-knows-the-image-library",
      comment: "A file can be made to crash a decoder: none runs in the process that serves everybody.",
      severity: "error",
      from: { path: "^apps/server/src/", pathNot: `${room("adapters/image-process/process")}` },
      to: { path: ["node_modules/sharp/", room("adapters/image-process/process")], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "nobody-imports-main",
      comment: "Main wires everything together; what is needed elsewhere belongs in a room.",
      severity: "error",
      from: { pathNot: [room("main"), NOT_TESTS, "^apps/server/(test|bench)/"] },
      to: { path: room("main") },
    },
    {
      name: "packages-import-nothing-of-ours",
      comment: "The contract is what clients and the dashboard share with the server, the Markdown what the editor does.",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/", pathNot: [NOT_TESTS, "^packages/cli/"] },
      to: { path: OURS, pathNot: [DEPENDENCIES, "^packages/$1/src/"] },
    },
    {
      name: "the-command-line-imports-only-the-client",
      comment: "It runs on machines without a server: what it knows of one it asks over HTTP.",
      severity: "error",
      from: { path: "^packages/cli/src/" },
      to: { path: OURS, pathNot: [DEPENDENCIES, "^packages/(cli|client)/src/"] },
    },
    {
      name: "dashboard-imports-only-types-of-the-server",
      comment: "No code of the server reaches the browser: what both run is in packages.",
      severity: "error",
      from: { path: "^apps/dashboard/", pathNot: NOT_TESTS },
      to: { path: "^apps/server/", dependencyTypesNot: ["type-only"] },
    },
    dashboardOnly("lib", [], "Words, times and small helpers: nothing here knows the server or a page."),
    dashboardOnly("api", ["lib"], "How the server is asked does not depend on what shows the answer."),
    dashboardOnly("ui", ["lib"], "A button, a dialog or a chart is given its data: it asks nobody."),
    dashboardOnly("editor", ["ui", "lib"], "The editor of a text is given the text and how to upload: it knows no post and no server."),
    dashboardOnly("autosave", ["api", "lib"], "Saving a post is tried without a page, in tests of their own."),
    dashboardOnly("shell", ["autosave", "ui", "api", "lib"], "The frame around every page names none of them."),
    {
      name: "dashboard-pages-import-only-rooms-below",
      comment: "A page is put together by the routes in app, never the other way round.",
      severity: "error",
      from: { path: dashboardRooms("pages") },
      to: { path: DASHBOARD, pathNot: dashboardRooms("pages", "shell", "autosave", "editor", "ui", "api", "lib") },
    },
    {
      name: "dashboard-pages-never-import-each-other",
      comment: "A page can be removed or rewritten alone: what two pages need is in a room below them.",
      severity: "error",
      from: { path: `${DASHBOARD}pages/([^/]+)/` },
      to: { path: `${DASHBOARD}pages/`, pathNot: `${DASHBOARD}pages/$1/` },
    },
    {
      name: "nobody-imports-the-dashboard-app",
      comment: "Routes and the start of the program wire everything together; what is needed elsewhere belongs in a room.",
      severity: "error",
      from: { path: "^apps/dashboard/", pathNot: [...dashboardRooms("app"), `${DASHBOARD}main\\.tsx$`] },
      to: { path: [...dashboardRooms("app"), `${DASHBOARD}main\\.tsx$`] },
    },
    {
      name: "the-server-never-imports-the-dashboard",
      comment: "The service knows the dashboard as files to send.",
      severity: "error",
      from: { path: "^apps/server/src/" },
      to: { path: "^apps/dashboard/" },
    },
    {
      name: "domain-does-no-io",
      comment:
        "Time, randomness and network are arguments. Hashes, checksums and random ids are computed, not fetched. " +
        "Which addresses are public is computed too, with BlockList and isIP of node:net; that one file opens nothing. " +
        "Which pool work belongs to follows its calls (AsyncLocalStorage).",
      severity: "error",
      from: { path: room("domain"), pathNot: [NOT_TESTS, `${room("domain")}network-addresses\\.ts$`] },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|zlib|buffer|util|async_hooks)$" },
    },
    {
      name: "the-product-never-imports-tests",
      comment: "What the service runs must not depend on helpers that only tests maintain.",
      severity: "error",
      from: { path: ["^apps/server/(src|bench)/", "^packages/"], pathNot: [NOT_TESTS, "^apps/server/bench/"] },
      to: { path: ["^apps/server/test/", NOT_TESTS] },
    },
    {
      name: "the-product-imports-no-package-of-the-tests",
      comment: "A start installs without them (tools/run.mjs). Types are never loaded.",
      severity: "error",
      from: {
        path: ["^apps/server/src/", "^apps/dashboard/", "^packages/"],
        pathNot: ["\\.test\\.tsx?$", "^apps/dashboard/src/editor/test/", "^packages/[^/]+/test/"],
      },
      to: { path: DEPENDENCIES, dependencyTypes: ["npm-dev", "npm-no-pkg"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-circles",
      comment: "Two files that need each other are one idea in two places. Types alone may circle.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-circles-in-the-dashboard",
      comment: "Types count here: a type that two files need is in a file below both.",
      severity: "error",
      from: { path: DASHBOARD },
      to: { circular: true },
    },
    {
      name: "no-unresolvable",
      comment: "An import that leads nowhere is not judged by the other rules.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // TypeScript 7 has no API that dependency-cruiser could use: swc parses. Without it nothing is read, and nothing fails.
    parser: "swc",
    tsPreCompilationDeps: true,
    // Tests may use anything, so they are targets only; their `await using` is also beyond the parser.
    doNotFollow: { path: ["node_modules", "^apps/server/test/"] },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
