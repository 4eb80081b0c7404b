import test from 'ava'
import { codeOf } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { contentRecipe } from '../fixtures.ts'

const { kernel, ada } = withPeople(test, { recipe: contentRecipe(), clock: true }, { ada: 'owner' })

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
    const response = await fetch(`${kernel.url}/content/preview/${template}`, {
      headers: { accept: 'text/html', cookie: ada.cookie },
    })
    t.is(response.status, 200)
    t.regex(await response.text(), /<article class="[^"]*prose[^>]*>\s*<div data-preview><\/div>/)
  }
})
