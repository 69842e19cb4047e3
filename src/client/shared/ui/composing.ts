/** The key belongs to an input method. Safari sends the Enter that ends a conversion afterwards, marked only by 229. */
export const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229;
