import assert from 'node:assert/strict';
import { pageHtml } from '../../../../src/views/pages/pageHtml.ts';

const strings = {
  'Loading…': '<!-- </script><script>alert(1)</script>',
  'Answered: {0}': 'Beantwortet: "{0}" & mehr',
};
const page = {
  title: '<b>TST-1</b>',
  language: 'en',
  cspSource: 'https://*.vscode-cdn.net',
  nonce: 'abc123',
  script: 'https://x/interview.js',
  styles: 'https://x/interview.css',
  icons: 'https://x/codicon.css',
  place: { root: '/a "b"\'s', ticket: 'TST-1' },
  strings,
};
const html = pageHtml(page);
const scripts = [...html.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)];

describe('the document of a page', () => {
  it('allows nothing but our own script, styles, fonts and images', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/
      .exec(html)?.[1]
      ?.replaceAll('&#39;', "'");
    assert.match(policy ?? '', /^default-src 'none'; script-src 'nonce-abc123'; /);
    assert.doesNotMatch(policy ?? '', /unsafe|\bhttp:|data:|connect-src/);
    assert.equal([...html.matchAll(/<script/g)].length, 2);
    assert.deepEqual(
      scripts.map(([, attributes]) => attributes),
      [
        ' type="application/json" id="l10n" nonce="abc123"',
        ' type="module" nonce="abc123" src="https://x/interview.js"',
      ],
    );
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=/);
  });

  it('takes what is handed to it as text', () => {
    assert.match(html, /data-place="\{&#34;root&#34;:&#34;\/a \\&#34;b\\&#34;&#39;s&#34;/);
    assert.doesNotMatch(html, /<b>|alert\(1\)<\/script>/);
  });

  it('carries the strings of another language, and none in English', () => {
    assert.deepEqual(JSON.parse(scripts[0]?.[2] ?? ''), strings);
    assert.doesNotMatch(pageHtml({ ...page, strings: undefined }), /application\/json/);
  });
});
