import { EditorScene, type EditorSceneOptions } from './editorScene.ts';

interface SharedSceneOptions extends EditorSceneOptions {
  /** Names the pictures of a test that failed. */
  readonly name: string;
}

/**
 * Called inside `describe`, with its suite: one scene for all tests of it, each of which continues where the
 * one before stopped, so that the first failure ends them. `started` gets the scene before the first test.
 * What a window looks like and says when a test fails is kept.
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
    console.error(scene.output.slice(-4_000), await scene.workbench.notices());
  });
}
