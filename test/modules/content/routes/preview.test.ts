import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { codeOf } from '../../../fixtures/people.ts'
import { shareKernel } from '../../../fixtures/shared-kernel.ts'
import { type Fixtures, startFixtures } from '../fixtures.ts'

let s: Fixtures
let ada: Person
shareKernel(test, startFixtures, async own => {
  s = own
  ada = await s.person()
})

test('returns the templates and locales that pages can have', async t => {
  t.deepEqual((await ada.get('/v1/content/choices')).body, {
    templates: ['page', 'landing', 'start'],
    locales: { default: 'en', available: ['en', 'de', 'de-AT'] },
  })
})

test('renders a text as pages show it', async t => {
  const { body } = await ada.post('/v1/content/render', { body: 'Hello *you*<script>x()</script>' })
  t.is(body.html.trim(), '<p>Hello <em>you</em></p>')
  t.is(codeOf(await ada.post('/v1/content/render', { body: 'x'.repeat(200_001) })), '422 validation_failed')
})

test('serves the empty page of each template in the theme', async t => {
  for (const template of ['page', 'landing', 'start']) {
    const response = await fetch(`${s.kernel.url}/content/preview/${template}`, {
      headers: { accept: 'text/html', cookie: ada.cookie },
    })
    t.is(response.status, 200)
    t.regex(await response.text(), /<article class="[^"]*prose[^>]*>\s*<div data-preview><\/div>/)
  }
})
