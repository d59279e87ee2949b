import type { Frame } from 'playwright-core';

/** As much of a browser as is needed. */
interface Node {
  readonly nodeType: number;
  readonly textContent: string | null;
}
interface Element extends Node {
  readonly childNodes: Iterable<Node>;
  readonly shadowRoot: { querySelectorAll(selector: string): Iterable<Element> } | null;
  readonly assignedSlot: Element | null;
  readonly parentElement: Element | null;
  getRootNode(): { readonly host?: Element };
  getBoundingClientRect(): { readonly width: number; readonly height: number };
  closest(selector: string): Element | null;
}
declare const document: {
  querySelectorAll(selector: string): Iterable<Element>;
  getAnimations(): readonly { readonly playState: string }[];
};
declare function getComputedStyle(element: Element): {
  readonly color: string;
  readonly backgroundColor: string;
  readonly visibility: string;
};

/** Enabled texts with less contrast than `least` (WCAG's ratio), with their ratio. */
export function faintTexts(frame: Frame, least: number): Promise<readonly string[]> {
  return frame.evaluate((wanted) => {
    type Colour = readonly [red: number, green: number, blue: number, alpha: number];
    const read = (text: string): Colour => {
      const numbers = (text.match(/[\d.]+/g) ?? []).map(Number);
      const [red = 0, green = 0, blue = 0, alpha = 1] = text.startsWith('color(')
        ? numbers.map((one, at) => (at < 3 ? one * 255 : one))
        : numbers;
      return [red, green, blue, alpha];
    };
    const over = (top: Colour, below: Colour): Colour => {
      const mixed = [0, 1, 2].map((at) => (top[at] ?? 0) * top[3] + (below[at] ?? 0) * (1 - top[3]));
      return [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0, 1];
    };
    const above = (element: Element): Element | null =>
      element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;
    const behind = (element: Element | null): Colour => {
      if (!element) return [255, 255, 255, 1];
      const own = read(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, behind(above(element)));
    };
    const brightness = (colour: Colour): number => {
      const [red = 0, green = 0, blue = 0] = colour.slice(0, 3).map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const saysSomething = (element: Element): boolean =>
      [...element.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '');
    const all: Element[] = [...document.querySelectorAll('body *')];
    const within = all.flatMap(({ shadowRoot }) =>
      shadowRoot ? [...shadowRoot.querySelectorAll('*:not(style)')] : [],
    );
    return [...all, ...within].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      const isHidden = width < 2 || height < 2 || getComputedStyle(element).visibility === 'hidden';
      if (
        isHidden ||
        !saysSomething(element) ||
        element.closest('script, style, [disabled], [aria-disabled=true], .live, .unseen')
      )
        return [];
      const background = behind(element);
      const [one, other] = [
        brightness(over(read(getComputedStyle(element).color), background)),
        brightness(background),
      ];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      return ratio < wanted
        ? [`${ratio.toFixed(1)}: ${(element.textContent ?? '').trim().slice(0, 40)}`]
        : [];
    });
  }, least);
}

export function animations(frame: Frame): Promise<number> {
  return frame.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
  );
}
