/** The key belongs to an input method. Safari tells the Enter that ends a conversion after it, by this number only. */
export const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229;
