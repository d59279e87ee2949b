/** The last line of every structured answer. Without it, or a closed tag or fence, an answer may have been cut off. */
export const endMark = 'END_OF_ANSWER';
