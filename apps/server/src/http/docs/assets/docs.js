// The reference works without this file. It adds copy buttons, the mark in the contents, and "Try it".

const keyField = document.querySelector("#key");

for (const block of document.querySelectorAll(".code")) addCopyButton(block);
for (const details of document.querySelectorAll(".try")) details.hidden = false;
if (keyField) keyField.parentElement.hidden = false;
for (const form of document.querySelectorAll(".try form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}
closeContentsOnSmallScreens();
markWhereWeAre();

/** Asks the API of this origin. The key is read from its field, sent, and kept nowhere. */
async function send(form) {
  const result = form.parentElement.querySelector(".result");
  const button = form.querySelector("button");
  const needsKey = form.dataset.needsKey === "yes";
  if (needsKey && !keyField.value.trim()) {
    show(result, [text("p", "Fill in your key at the top of the page first.")]);
    keyField.focus();
    return;
  }
  button.disabled = true;
  show(result, [text("p", "Sending …")]);
  const started = performance.now();
  try {
    const response = await fetch(addressOf(form), {
      headers: needsKey ? { Authorization: `Bearer ${keyField.value.trim()}` } : {},
      cache: "no-store",
      credentials: "omit",
    });
    const body = await response.text();
    show(result, answer(response, body, Math.round(performance.now() - started)));
  } catch {
    show(result, [text("p", "The service did not answer. Is it running, and are you online?")]);
  } finally {
    button.disabled = false;
  }
}

function addressOf(form) {
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const field of form.querySelectorAll("[data-in]")) {
    const value = field.value.trim();
    if (field.dataset.in === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(field.name, value);
  }
  return `/v1${path}${query.size > 0 ? `?${query}` : ""}`;
}

/** Built from text only: an answer is somebody's content, and must not become part of this page. */
function answer(response, body, millis) {
  const facts = document.createElement("dl");
  for (const name of ["content-type", "etag", "ratelimit", "ratelimit-policy", "retry-after", "x-request-id"]) {
    const value = response.headers.get(name);
    if (value !== null) facts.append(text("dt", name), text("dd", value));
  }
  const block = document.createElement("figure");
  block.className = "code";
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  pre.setAttribute("aria-label", "Answer");
  pre.append(text("code", indented(body)));
  block.append(text("figcaption", "Answer"), pre);
  addCopyButton(block);
  const status = text("p", `${response.status} ${response.statusText} in ${millis} ms`);
  status.className = "status";
  return [status, facts, block];
}

function indented(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function text(tag, words) {
  const element = document.createElement(tag);
  element.textContent = words;
  return element;
}

function show(result, children) {
  result.replaceChildren(...children);
}

function addCopyButton(block) {
  if (!navigator.clipboard) return;
  const button = text("button", "Copy");
  button.type = "button";
  button.className = "copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("pre").textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2_000);
  });
  block.append(button);
}

function closeContentsOnSmallScreens() {
  const contents = document.querySelector("nav details");
  if (!contents) return;
  const small = matchMedia("(max-width: 52rem)");
  const fit = () => (contents.open = !small.matches);
  small.addEventListener("change", fit);
  fit();
  contents.addEventListener("click", (event) => {
    if (small.matches && event.target.closest("a")) contents.open = false;
  });
}

/** The section that is read now, marked in the contents. */
function markWhereWeAre() {
  const links = new Map([...document.querySelectorAll('nav a[href^="#"]')].map((link) => [link.hash.slice(1), link]));
  const inView = new Set();
  let current = null;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) inView.add(target.id);
        else inView.delete(target.id);
      }
      const first = [...links.keys()].find((id) => inView.has(id));
      if (first === undefined || first === current) return;
      links.get(current)?.removeAttribute("aria-current");
      links.get(first).setAttribute("aria-current", "true");
      current = first;
    },
    { rootMargin: "-10% 0px -70% 0px" },
  );
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) observer.observe(section);
  }
}
