/** The files of a paste or a drop; none if they are only a picture of the text that comes with them. */
export function filesOf(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  const text = data?.getData("text/plain").trim() ?? "";
  // Spreadsheets and editors add a picture of the copied text; file managers add the names as text.
  const names = new Set(files.map(({ name }) => name));
  const isNames = files.length > 0 && text.split(/\r?\n/).every((line) => names.has(lastPart(line)));
  return text === "" || isNames ? files : [];
}

const lastPart = (path: string) => path.slice(path.lastIndexOf("/") + 1);
