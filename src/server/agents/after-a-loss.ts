/** Added to the task's text when a new conversation replaces one that is lost. */
export const AFTER_A_LOSS =
  "\n\n(An earlier session worked on this in the same directory, and its conversation is lost. Look at what is there before you go on.)";
