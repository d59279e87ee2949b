import { EditorScene, type EditorSceneOptions } from './editorScene.ts';

interface SharedSceneOptions extends EditorSceneOptions {
  readonly name: string;
}

/**
 * Called inside `describe`: one scene for all its tests, each of which continues where the one before
 * stopped; the first failure ends them. `started` gets the scene.
 */
export function sharedScene(
  suite: Mocha.Suite,
  options: SharedSceneOptions,
  started: (scene: EditorScene) => void | Promise<void>,
): void {
  let scene: EditorScene | undefined;
  suite.bail(true);

  before(async function () {
    this.timeout(400_000);
    scene = await EditorScene.start(options);
    await started(scene);
  });

  after(async function () {
    this.timeout(60_000);
    await scene?.end();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed' || !scene) return;
    await scene.workbench.failed(options.name);
    console.error(scene.output.slice(-4_000), await scene.workbench.notifications());
  });
}
