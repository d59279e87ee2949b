export const ticketsViewId = 'beadsmith.tickets';

/** The editor's type of what is dragged within the view. */
export const draggedType = `application/vnd.code.tree.${ticketsViewId}`;

/** The editor makes this command for every view. */
export const focusView = `${ticketsViewId}.focus`;
