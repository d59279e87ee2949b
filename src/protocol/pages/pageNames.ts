/** The type by which the editor keeps the panels of tickets' pages. */
export const pageType = 'beadsmith.ticket';

/** Types of panels that earlier versions left open. They come back as the page of their ticket. */
export const earlierPageTypes = ['beadsmith.interview', 'beadsmith.approval'] as const;

/** The type of the panel of *Check Setup*. Nothing brings it back in another window. */
export const setupPageType = 'beadsmith.setup';
