// The engine resolves colours to RGB. Engines run with colours that nobody uses, so that the names can be recovered:
// then a snapshot can say "red" where the program said "red", and the viewer's theme decides what that looks like.

export const FOREGROUND = 0x01f30d;
export const BACKGROUND = 0x0d01f3;
export const PALETTE: readonly number[] = Array.from({ length: 16 }, (_, i) => 0x02e100 + i * 0x000d + 1);
