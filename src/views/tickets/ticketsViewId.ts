export const ticketsViewId = 'beadsmith.tickets';

/** The editor makes this command for every view. */
export const focusView = `${ticketsViewId}.focus`;
