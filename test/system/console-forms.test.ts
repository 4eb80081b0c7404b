import test from 'ava'
import type { Page } from 'playwright-core'
import { peopleOf } from '../fixtures/people.ts'
import { checkScreen, startConsole, startOwnConsole, type Visitor, waitForScreen } from './console-fixtures.ts'

interface Form {
  id: string
  name: string
  schema: { properties: object; required?: string[]; allOf?: unknown[] }
  uiSchema: unknown
}
const SURVEY = {
  name: 'Survey',
  access: 'public',
  schema: {
    type: 'object',
    required: ['plan'],
    properties: {
      plan: { type: 'string', title: { en: 'Your plan', de: 'Ihr Tarif' }, enum: ['Free', 'Pro'] },
      age: { type: 'integer', title: 'Age' },
      news: { type: 'boolean', title: 'Send me news' },
      comment: { type: 'string', title: 'Comment' },
    },
  },
}
const names = (page: Page) => page.locator('.question-name').allTextContents()

test.serial('builds a form, reorders it by keyboard, and merges the change of somebody else', async t => {
  const { ada, open } = await startOwnConsole(t, { forms: {} })
  const page = await open(ada, '/forms/forms/new')
  await page.getByRole('button', { name: 'Add question' }).click()
  await page.getByRole('menuitem', { name: 'Single choice' }).click()
  await page.getByLabel('Question', { exact: true }).fill('Your plan')
  await page.getByLabel('Choices').fill('Free\nPro')
  await page.getByRole('button', { name: 'Add question' }).click()
  await page.getByRole('menuitem', { name: 'Short text' }).click()
  await page.getByLabel('Question', { exact: true }).fill('<img src=x onerror=alert(1)>')
  await page.getByLabel('Name in the data').fill('company')
  await page.getByLabel('Required').selectOption('when')
  await page.getByLabel('Answer', { exact: true }).selectOption('Pro')
  await page.getByText('Required if “Your plan” is “Pro”.').waitFor()

  await page.locator('.question-open', { hasText: 'Your plan' }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByText('Your plan moved to position 2 of 2.').waitFor()
  t.deepEqual(await names(page), ['<img src=x onerror=alert(1)>*', 'Your plan'])
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Survey')
  await page.getByRole('button', { name: 'Create form' }).click()
  await page.getByText('Form created.').waitFor()
  const { data } = (await ada.get<{ data: Form[] }>('/v1/forms')).body
  const [listed] = data as [Form]
  const { body: form } = await ada.get<Form>(`/v1/forms/${listed.id}`)
  t.deepEqual(Object.keys(form.schema.properties), ['company', 'yourPlan'])
  t.deepEqual(form.schema.allOf, [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: { properties: { yourPlan: { const: 'Pro' } }, required: ['yourPlan'] }, then: { required: ['company'] } },
  ])

  await page.locator('.question-open', { hasText: 'Your plan' }).click()
  await page.getByLabel('Help text').fill('You can change it later.')
  await ada.patch(`/v1/forms/${form.id}`, { name: 'Renamed' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Save merged version' }).click()
  await page.getByText('Form saved.').waitFor()
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  t.true(JSON.stringify((await ada.get<Form>(`/v1/forms/${form.id}`)).body.schema).includes('You can change it later.'))

  await page.getByLabel('Texts in').selectOption('de')
  await page.locator('.question-open', { hasText: 'Your plan' }).click()
  await page.getByLabel('Question', { exact: true }).fill('Ihr Tarif')
  await page.getByLabel('Text of “Free”').fill('Kostenlos')
  await page.locator('.form-preview').getByText('Kostenlos').waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('Heading').fill('Umfrage')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
  const { schema, uiSchema } = (await ada.get<Form>(`/v1/forms/${form.id}`)).body
  t.like(schema, {
    title: 'Umfrage',
    properties: { yourPlan: { title: { en: 'Your plan', de: 'Ihr Tarif' }, enum: ['Free', 'Pro'] } },
  })
  t.like(uiSchema, { yourPlan: { 'ui:enumNames': [{ en: 'Free', de: 'Kostenlos' }, 'Pro'] } })

  await page.getByRole('button', { name: 'Actions: Renamed' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL('**/console/*/forms/forms')
  t.is((await ada.get(`/v1/forms/${form.id}`)).status, 404)
})

test.serial('reads submissions, marks spam, keeps a note, exports and charts them', async t => {
  const { ada, kernel, url, open } = await startConsole(t, '  forms: {}\n')
  const { body: form } = await ada.post('/v1/forms', SURVEY)
  const submit = (data: object, meta = {}) => kernel.post(`/v1/forms/${form.id}/submit`, { data, meta })
  await submit({ plan: 'Pro', age: 31, news: true, comment: '<b>Great</b>' })
  await submit({ plan: 'Free', age: 44 })
  await submit({ plan: 'Pro', comment: 'Buy now' }, { website: 'https://spam.test' })
  const page = await open(ada, `/forms/forms/${form.id}?tab=submissions`)
  await page.getByRole('columnheader', { name: 'Your plan' }).waitFor()
  await waitForScreen(page)
  t.is(await page.locator('tbody tr').count(), 2)
  t.deepEqual(await checkScreen(page, 'forms-submissions'), [])

  await page.getByLabel('Show').selectOption('true')
  await page.getByText('Buy now').waitFor()
  await page.locator('tbody').getByRole('link').click()
  await page.getByText('A hidden field was filled in.').waitFor()
  await page.getByRole('button', { name: 'Not spam' }).click()
  await page.getByText('Marked as not spam.').waitFor()
  await page.getByLabel('Note').fill('Called back')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changes saved.').waitFor()
  t.deepEqual(await checkScreen(page, 'forms-submission'), [])

  await page.getByRole('link', { name: 'Survey' }).click()
  await page.getByRole('tab', { name: 'Submissions' }).click()
  await page.getByRole('cell', { name: 'Called back' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  t.is(download.suggestedFilename(), 'Survey.csv')

  await page.getByRole('tab', { name: 'Results' }).click()
  await page.getByText('Average 37.5, from 31 to 44').waitFor()
  await page.getByRole('slider', { name: '3 submissions in 30 days' }).waitFor()
  t.deepEqual(await checkScreen(page, 'forms-results'), [])
  await page.getByRole('tab', { name: 'Questions' }).click()
  await page.locator('.question-open').first().click()
  t.deepEqual(await checkScreen(page, 'forms-builder'), [])
  // The button has the same text in the form of visitors, who submit it once with a double click.
  const uiSchema = { 'ui:submitButtonOptions': { submitText: 'Send <b>it</b>' } }
  const { body: contact } = await ada.post('/v1/forms', { ...SURVEY, name: 'Contact', uiSchema })
  await page.goto(`${url}/console/forms/forms/${contact.id}`)
  await page.getByRole('button', { name: 'Send <b>it</b>' }).waitFor()
  await page.goto(`${url}/forms/${contact.id}`)
  await page.getByLabel('Your plan').selectOption('Pro')
  await page.getByRole('button', { name: 'Send <b>it</b>' }).dblclick()
  await page.getByRole('status').waitFor()
  const stored = async (isSpam: boolean) =>
    (await ada.get(`/v1/forms/${contact.id}/submissions?filter[spam]=${isSpam}`)).body.data
  t.is([...(await stored(true)), ...(await stored(false))].length, 1)
  await page.goto(`${url}/console/forms/forms/${form.id}`)
  await page.evaluate("localStorage.setItem('larder.console.language', JSON.stringify('de'))")
  await page.reload()
  await page.getByRole('button', { name: 'Frage hinzufügen' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Formulare' }).first().waitFor()
  await page.locator('.question-open').first().click()
  t.deepEqual(await checkScreen(page, 'forms-builder-de'), [])

  await page.getByRole('tab', { name: 'Einsendungen' }).click()
  await page.getByRole('columnheader', { name: 'Ihr Tarif' }).waitFor()
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Löschen' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Löschen' }).click()
  await page.getByText('Noch keine Einsendungen').waitFor()
  t.deepEqual((await ada.get(`/v1/forms/${form.id}/submissions`)).body.data, [])
})

test.serial('shows each role what it may do, and forms of the recipe without changes', async t => {
  const roles = {
    'tenant.editor': { name: 'Editor', permissions: ['forms.*'] },
    'tenant.support': {
      name: 'Support',
      permissions: ['forms.form.read', 'forms.submission.read', 'forms.submission.update'],
    },
    'tenant.release_manager': { name: 'Release manager', permissions: ['forms.form.read'] },
    'tenant.nobody': { name: 'Nobody', permissions: [] },
  }
  const forms = { contact: { name: 'Contact', access: 'public', schema: SURVEY.schema } }
  const { kernel, ada: owner, open } = await startOwnConsole(t, { forms: {} }, { roles, forms })
  const { colleague, operator } = peopleOf(kernel)
  const { body: form } = await owner.post<Form>('/v1/forms', SURVEY)
  await owner.post(`/v1/forms/${form.id}/submit`, { data: { plan: 'Pro' } })
  async function seen(visitor: Visitor, path: string): Promise<Record<string, boolean>> {
    const page = await open(visitor, path)
    await page.locator('[role=tablist], .empty').first().waitFor()
    await waitForScreen(page)
    const sees = async (name: string) => (await page.getByRole('button', { name }).count()) > 0
    const builder = { save: await sees('Save changes'), add: await sees('Add question') }
    const tab = page.getByRole('tab', { name: 'Submissions' })
    const submissions = (await tab.count()) > 0
    let marks = false
    let deletes = false
    if (submissions) {
      await tab.click()
      const box = page.locator('tbody input[type=checkbox]').first()
      await page.locator('tbody tr, .empty').first().waitFor()
      await waitForScreen(page)
      if ((await box.count()) > 0) await box.check()
      marks = await sees('Mark as spam')
      deletes = await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).isVisible()
    }
    await page.context().close()
    return { ...builder, submissions, marks, deletes }
  }
  const path = `/forms/forms/${form.id}`
  const all = { save: true, add: true, submissions: true, marks: true, deletes: true }
  const none = { save: false, add: false, submissions: false, marks: false, deletes: false }
  const rows: [string, Record<string, boolean>][] = [
    ['tenant.editor', all],
    ['tenant.support', { ...none, submissions: true, marks: true }],
    ['tenant.release_manager', none],
    ['tenant.member', none],
    ['tenant.nobody', none],
  ]
  t.deepEqual(await seen(owner, path), all, 'owner')
  for (const [role, expected] of rows) t.deepEqual(await seen(await colleague(owner, [role]), path), expected, role)

  const admin = await operator()
  const { user, workspace } = (await admin.get<{ user: { email: string }; workspace: { id: string } }>('/v1/me')).body
  const { data } = (await admin.get<{ data: Form[] }>('/v1/forms')).body
  const contact = data.find(({ name }) => name === 'Contact') as Form
  const administrator = { email: user.email, tenantId: workspace.id }
  t.deepEqual(await seen(administrator, `/forms/forms/${contact.id}`), { ...none, submissions: true }, 'platform admin')
})
