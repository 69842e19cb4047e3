/** The files of a paste or a drop; none if they only show the text that comes with them. */
export function filesOf(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  const text = data?.getData("text/plain").trim() ?? "";
  // Spreadsheets and editors add a picture of the copied text; file managers add the names as text.
  const isNames = files.length > 0 && text.split(/\r?\n/).every((line) => files.some(isNamed(line)));
  return text === "" || isNames ? files : [];
}

const isNamed = (line: string) => (file: File) => line === file.name || line.endsWith(`/${file.name}`);
