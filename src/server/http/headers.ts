// 'wasm-unsafe-eval' lets the terminal's WebAssembly compile; it allows no script.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Sent with every answer. */
export const SECURITY_HEADERS: Record<string, string> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};

/** For a year, a browser that has been here over TLS uses nothing else. */
const TLS_ONLY = { "strict-transport-security": "max-age=31536000" };
const NOT_KEPT = { "cache-control": "no-store" };

/** The headers that are added to an answer from this path. */
export const headersOf = (path: string, { isTlsOnly }: { isTlsOnly: boolean }): Record<string, string> => ({
  ...SECURITY_HEADERS,
  ...(isTlsOnly && TLS_ONLY),
  ...((path.startsWith("/api/") || path === "/login") && NOT_KEPT),
});
