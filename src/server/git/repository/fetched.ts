// What a repository's own files say was cloned or fetched, and is elsewhere too.

/** By the content of FETCH_HEAD. */
export const inFetchHead = (text = "") => matches(/^(\w+)\t.* of /gm, text);

/** By the log of HEAD. */
export const clonedByLog = (text = "") => matches(/^\w+ (\w+) .*\tclone: from /gm, text);

const matches = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
