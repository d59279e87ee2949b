import type { Uri } from './fakeEditor.ts';

/** Part of the fake `vscode` (fakeEditor.ts): the Source Control view. */
interface ShownResource {
  readonly resourceUri: Uri;
  readonly command?: { readonly command: string; readonly arguments?: readonly unknown[] };
  readonly contextValue?: string;
  readonly decorations?: { readonly strikeThrough?: boolean; readonly tooltip?: string };
}

class ResourceGroup {
  readonly id: string;
  label: string;
  hideWhenEmpty = false;
  resourceStates: readonly ShownResource[] = [];
  readonly #drop: () => void;

  constructor(id: string, label: string, drop: () => void) {
    this.id = id;
    this.label = label;
    this.#drop = drop;
  }

  dispose(): void {
    this.#drop();
  }
}

class SourceControl {
  readonly id: string;
  readonly label: string;
  readonly inputBox = { visible: true };
  readonly groups: ResourceGroup[] = [];
  count: number | undefined;

  constructor(id: string, label: string) {
    this.id = id;
    this.label = label;
  }

  createResourceGroup(id: string, label: string): ResourceGroup {
    const group = new ResourceGroup(id, label, () => {
      const at = this.groups.indexOf(group);
      if (at >= 0) this.groups.splice(at, 1);
    });
    this.groups.push(group);
    return group;
  }

  dispose(): void {
    sourceControls.delete(this);
  }
}

/** All that the view shows. */
export const sourceControls = new Set<SourceControl>();

export const scm = {
  createSourceControl: (id: string, label: string): SourceControl => {
    const control = new SourceControl(id, label);
    sourceControls.add(control);
    return control;
  },
};
