// The engine gives colours resolved to RGB. So that a snapshot can say "red" where the program said
// "red" and the viewer's own theme decides what that is, engines run with colours nobody uses, and the
// name is read back from them.

export const FOREGROUND = 0x01f30d;
export const BACKGROUND = 0x0d01f3;
export const PALETTE: readonly number[] = Array.from({ length: 16 }, (_, i) => 0x02e100 + i * 0x000d + 1);
