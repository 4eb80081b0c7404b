import test from 'ava'
import { docsPage, docsPages, pageOfModule, searchDocs } from '../../../bin/mcp/docs.ts'

test('lists and reads the pages of the package', t => {
  const pages = docsPages()
  t.like(
    pages.find(({ page }) => page === 'billing'),
    { page: 'billing', title: 'Billing' },
  )
  t.true(pages.some(({ page }) => page === 'reference/module-contract'))
  t.true(pages.every(({ page, title }) => title !== '' && docsPage(page)?.includes(`# ${title}`)))
})

test('reads nothing outside the docs', t => {
  for (const page of ['../README', '../package.json', 'billing.md', '/etc/passwd', '']) t.is(docsPage(page), undefined)
})

test('finds the page of a module', t => {
  t.is(pageOfModule('billing'), 'billing')
  t.is(pageOfModule('parcels'), undefined)
  t.is(pageOfModule('../README'), undefined)
})

test('searches sections, headings first', t => {
  const [first] = searchDocs('verify webhook signature')
  t.is(first?.page, 'webhooks')
  t.regex(first?.heading ?? '', /signature/i)
  t.deepEqual(searchDocs('qqqqzzzz'), [])
  t.true(searchDocs('the').every(({ excerpt }) => excerpt.length < 450))
})
