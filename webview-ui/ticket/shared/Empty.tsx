import { Icon } from '../../base/elements.tsx';

/** In the place of what isn't there yet: what will be. */
export function Empty({ text }: { readonly text: string }) {
  return (
    <p class="quiet empty">
      <Icon name="info" /> {text}
    </p>
  );
}
