import assert from 'node:assert/strict';
import { pageHtml } from '../../../../src/views/pages/pageHtml.ts';

const html = pageHtml({
  title: '<b>TST-1</b>',
  language: 'en',
  cspSource: 'https://*.vscode-cdn.net',
  nonce: 'abc123',
  ...{ script: 'https://x/interview.js', styles: 'https://x/interview.css', icons: 'https://x/codicon.css' },
  place: { root: '/a "b"\'s', ticket: 'TST-1' },
  texts: { base: { loading: '</script><script>alert(1)</script>' } },
});

describe('the document of a page', () => {
  it('allows nothing but our own script, styles, fonts and images', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#39;', "'");
    assert.match(policy ?? '', /^default-src 'none'; script-src 'nonce-abc123'; /);
    assert.doesNotMatch(policy ?? '', /unsafe|\bhttp:|data:|connect-src/);
    assert.deepEqual([...html.matchAll(/<script/g)].length, 1);
    assert.match(html, /<script type="module" nonce="abc123" src="https:\/\/x\/interview\.js"><\/script>/);
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=/);
  });

  it('takes what is handed to it as text', () => {
    assert.match(html, /data-place="\{&#34;root&#34;:&#34;\/a \\&#34;b\\&#34;&#39;s&#34;/);
    assert.doesNotMatch(html, /<b>|alert\(1\)<\/script>/);
  });
});
