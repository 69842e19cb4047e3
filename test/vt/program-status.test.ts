import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseProgramStatus } from "../../src/vt/program-status.ts";

const encoded = (text: string) => Buffer.from(text).toString("base64");
const NOTHING = { id: "", kind: null, app: null, progress: null, title: null, message: null };

describe("a program's status", () => {
  test("is read with all it may say", () => {
    const said = `state=blocked:app=claude-code:kind=permission:progress=40:id=a.1/b:title=${encoded("Deploy")}:msg=${encoded("approve Bash: touch größer 🎉")}`;
    expect(parseProgramStatus(said)).toEqual({
      ...{ id: "a.1/b", state: "blocked", kind: "permission", app: "claude-code", progress: 40 },
      ...{ title: "Deploy", message: "approve Bash: touch größer 🎉" },
    });
    expect(parseProgramStatus("state=clear:id=a/b")).toEqual({ state: "clear", id: "a/b" });
    expect(parseProgramStatus("state=clear")).toEqual({ state: "clear", id: "" });
  });

  test("says nothing by what it does not know, and the last of two counts", () => {
    expect(parseProgramStatus("junk:new=1:STATE=idle:state=done::state=working:app=x")).toEqual({
      ...NOTHING,
      ...{ state: "working", app: "x" },
    });
    expect(parseProgramStatus("state=working:kind=question")).toEqual({ ...NOTHING, state: "working" });
    expect(parseProgramStatus("state=blocked:kind=coffee")).toEqual({ ...NOTHING, state: "blocked" });
    for (const progress of ["101", "-1", "1e1", "", "٣"])
      expect(parseProgramStatus(`state=working:progress=${progress}`)).toEqual({
        ...NOTHING,
        state: "working",
      });
  });

  test.each([
    ["a query", "?"],
    ["nothing", ""],
    ["no state", "app=x:msg=eA=="],
    ["a state nobody knows", "state=sleeping"],
    ["an id with a blank in it", "state=done:id=a b"],
    ["an id that ends too soon", "state=done:id=a/"],
    ["an id of nine levels", "state=done:id=1/2/3/4/5/6/7/8/9"],
    ["an id with a long name", `state=done:id=${"a".repeat(33)}`],
    ["an id of more than 128 bytes", `state=done:id=${Array(5).fill("a".repeat(30)).join("/")}`],
    ["more than 4,096 bytes", `state=done:msg=${"eHh4".repeat(1_024)}`],
  ])("is none: %s", (_, said) => {
    expect(parseProgramStatus(said)).toBeUndefined();
  });

  test("keeps its state when its words are no base64, no UTF-8 or nothing but control characters", () => {
    for (const message of ["%%%", Buffer.from([0xff, 0xfe]).toString("base64"), encoded("\x1b\x00\n")])
      expect(parseProgramStatus(`state=idle:msg=${message}`)).toEqual({ ...NOTHING, state: "idle" });
  });

  test("has no control characters in its words, and not too many words", () => {
    const words = (text: string) => {
      const found = parseProgramStatus(`state=done:msg=${encoded(text)}`);
      return found !== undefined && "message" in found ? found.message : undefined;
    };
    expect(words("one\r\n\x1b]0;two\x07\u009b3 ")).toBe("one ]0;two 3");
    expect(words("x".repeat(3_000))).toHaveLength(2_048);
    expect(words(`${"x".repeat(2_047)}🎉`)).toBe(`${"x".repeat(2_047)}\ufffd`);
  });

  test("is bounded whatever is printed", () => {
    const pair = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .tuple(
          fc.constantFrom("state", "id", "msg", "title", "app", "kind", "progress"),
          fc.oneof(
            fc.string({ unit: "binary" }),
            fc.string({ unit: "binary" }).map(encoded),
            fc.constantFrom("idle", "working", "clear", "blocked", "question", "7"),
          ),
        )
        .map(([key, value]) => `${key}=${value}`),
    );
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const found = parseProgramStatus(pairs.join(":"));
        if (found === undefined || found.state === "clear" || found.state === "over") return;
        expect(JSON.stringify(found)).not.toMatch(/\\u00[01]|\x7f/);
        expect(found.id).toMatch(/^[\w.+/-]{0,128}$/);
      }),
    );
  });
});
