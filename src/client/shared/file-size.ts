const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** `812 bytes`, `1.4 MB`, `23 GB`. */
export function fileSize(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`;
}
