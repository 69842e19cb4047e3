import { expect, test } from "bun:test";
import { fileSize } from "../../../src/client/shared/file-size.ts";

test.each([
  [0, "0 bytes"],
  [812, "812 bytes"],
  [1_000, "1.0 KB"],
  [1_440_000, "1.4 MB"],
  [23_400_000_000, "23 GB"],
])("%i bytes are %s", (bytes, words) => {
  expect(fileSize(bytes)).toBe(words);
});
