import { visible } from '../../../src/base/visible.ts';

/**
 * Text from outside, as it is but with marks for what is hidden in it, in a box of its own that scrolls, by
 * keyboard too.
 */
export function LongText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <pre class="long" tabIndex={0} role="region" aria-label={label}>
      {visible(text)}
    </pre>
  );
}
