/** Ways in which models end a coding session, all of which say the same. */
export const markerStyles: readonly ((report: string) => string)[] = [
  (report) => report,
  (report) => `All done! Here is my report.\n\n${report}\n\nLet me know if anything is missing.`,
  (report) => `\`\`\`yaml\n${report}\`\`\``,
  (report) => report.replaceAll(/<(\/?)BEAD_STATUS>/g, '<$1bead_status>'),
  (report) => report.replaceAll(/^( *)(bead_id|status|checks|tests|lint):/gm, '$1**$2**:'),
  (report) => report.replace('status: done', 'status: Done ✅'),
  (report) => report.replace('status: done', 'Status: COMPLETED'),
  (report) => report.replaceAll(': pass', ': ✅ passed'),
  (report) =>
    report.replace('lint: pass', 'lint: n/a').replace('typecheck: pass', 'typecheck: N/A (no types here)'),
  (report) =>
    `${report.replace('status: done', 'status: in_progress')}\n\nNow everything is in place:\n\n${report}`,
  (report) => `<think>\nThe tests pass, so I can report.\n</think>\n${report}`,
  (report) => report.replaceAll('\n', '\r\n'),
];
