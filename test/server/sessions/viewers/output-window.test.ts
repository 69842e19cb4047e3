import { expect, test } from "bun:test";
import { ACK_WINDOW, OutputWindow } from "../../../../src/server/sessions/viewers/output-window.ts";

function open() {
  const sent: (string | number)[] = [];
  const window = new OutputWindow((bytes, offset) => {
    expect(offset).toBe(at);
    at += bytes.length;
    sent.push(bytes.length);
  });
  let at = 0;
  let read = 0;
  return {
    window,
    sent,
    print(length: number) {
      window.output(new Uint8Array(length), read);
      read += length;
    },
    say: (word: string, needsRoom?: boolean) => window.pass(() => void sent.push(word), needsRoom),
  };
}

test("who acknowledges nothing is sent everything; from the first acknowledgement on a window ahead", () => {
  const { window, sent, print } = open();
  print(4 * ACK_WINDOW);
  expect(window.isFull).toBe(false);
  window.ack(4 * ACK_WINDOW);
  print(ACK_WINDOW + 10);
  print(10);
  expect(sent).toEqual([4 * ACK_WINDOW, ACK_WINDOW]);
  expect(window.isFull).toBe(true);
  window.ack(4 * ACK_WINDOW + 5);
  window.ack(4 * ACK_WINDOW + 1_000);
  expect(sent).toEqual([4 * ACK_WINDOW, ACK_WINDOW, 5, 5, 10]);
  expect(window.isFull).toBe(false);
});

test("everything is sent in order, and a window that is full holds back output and a new start, but no news", () => {
  const { window, sent, print, say } = open();
  window.ack(0);
  print(ACK_WINDOW);
  say("size");
  print(100);
  say("again", true);
  say("exit");
  expect(sent).toEqual([ACK_WINDOW, "size"]);
  window.ack(50);
  expect(sent).toEqual([ACK_WINDOW, "size", 50]);
  window.ack(200);
  expect(sent).toEqual([ACK_WINDOW, "size", 50, 50, "again", "exit"]);
});

test("an acknowledgement of what was not sent counts for no more than what was", () => {
  const { window, sent, print } = open();
  window.ack(1e9);
  print(2 * ACK_WINDOW);
  expect(sent).toEqual([ACK_WINDOW]);
  expect(window.acked).toBe(0);
});
