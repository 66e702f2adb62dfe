import { expect, test } from "vitest";
import { every, join, raw, sql, statementOf } from "./sql.ts";

test("values are numbered in the order they stand, through fragments within fragments", () => {
  const inner = sql`b = ${2} AND ${sql`c = ${3}`}`;
  const whole = sql`SELECT ${raw("x")} WHERE a = ${1} AND ${inner} AND d IN (${join([sql`${4}`, raw("e"), sql`${5}`], ", ")}) LIMIT ${6}`;
  expect(statementOf(whole)).toEqual({
    text: "SELECT x WHERE a = $1 AND b = $2 AND c = $3 AND d IN ($4, e, $5) LIMIT $6",
    values: [1, 2, 3, 4, 5, 6],
  });
});

test("no conditions hold, and nothing joined is nothing", () => {
  expect(statementOf(sql`WHERE ${every([])}`).text).toBe("WHERE true");
  expect(statementOf(sql`[${join([], ", ")}]`)).toEqual({ text: "[]", values: [] });
  expect(statementOf(every([raw("a"), raw("b")])).text).toBe("a AND b");
});

test("whatever a value holds, it never becomes part of the text", () => {
  const hostile = ["'; DROP TABLE posts; --", "$1", { pieces: ["true OR ", ""], values: [1] }, null, undefined];
  const { text, values } = statementOf(sql`SELECT ${hostile[0]}, ${hostile[1]}, ${hostile[2]}, ${hostile[3]}, ${hostile[4]}`);
  expect(text).toBe("SELECT $1, $2, $3, $4, $5");
  expect(values).toEqual(hostile);
});
