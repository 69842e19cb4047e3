// An MCP server with one tool, which asks for a word before it answers with it.
import { createInterface } from "node:readline";

const TOOL = { name: "ask", description: "Asks", inputSchema: { type: "object", properties: {} } };
const FORM = { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] };
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

let call: unknown;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    const serverInfo = { name: "lab", version: "1" };
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") {
    send({ id, result: { tools: [{ ...TOOL, annotations: { readOnlyHint: true } }] } });
  } else if (method === "tools/call") {
    call = id;
    const message = "Which colour do you like?";
    send({ id: "form", method: "elicitation/create", params: { message, requestedSchema: FORM } });
  } else if (id === "form") {
    send({ id: call, result: { content: [{ type: "text", text: result?.content?.colour ?? "none" }] } });
  }
}
