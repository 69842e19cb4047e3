import { expect, test } from "bun:test";
import {
  type Answers,
  choose,
  isComplete,
  toAnswers,
  write,
} from "../../../../src/client/features/asks/answers-given.ts";

const options = ["a", "b", "c"].map((label) => ({ label, description: null }));
const one = { question: "Which?", header: null, multiple: false, options };
const many = { ...one, question: "Which ones?", multiple: true };

test("one option takes the place of another, and of what was written", () => {
  const given = choose(one, write(one, choose(one, {}, "a"), "else"), "b");
  expect(toAnswers([one], given)).toEqual({ "Which?": "b" });
  expect(toAnswers([one], write(one, given, " else "))).toEqual({ "Which?": "else" });
});

test("several options are joined in the order they stand in, with what was written last", () => {
  const given = ["c", "a", "b", "b"].reduce<Answers>((all, label) => choose(many, all, label), {});
  expect(toAnswers([many], write(many, given, "d"))).toEqual({ "Which ones?": "a, c, d" });
});

test("it is complete when every question has an answer", () => {
  const given = choose(one, {}, "a");
  expect(isComplete([one, many], given)).toBe(false);
  expect(isComplete([one, many], write(many, given, "x"))).toBe(true);
  expect(isComplete([many], write(many, {}, "  "))).toBe(false);
});
