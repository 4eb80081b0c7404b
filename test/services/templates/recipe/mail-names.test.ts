import test from 'ava'
import { recipeProblems, toLine } from '../../../modules/recipe-problems.ts'

const override = (key: string) => `modules: { identity: {}, comms: { from: hello@acme.test } }
emails:
  ${key}: { template: ./mail.hbs }
`
const lines = async (...given: Parameters<typeof recipeProblems>) => (await recipeProblems(...given)).map(toLine)

test('rejects names that a replaced mail template does not insert', async t => {
  const mail = `---
subject: "Welcome to {{product.nmae}}"
preheader: "{{workspace}}"
---
<p>Hello {{nmae}}, {{@root.x}}</p>
{{#if link}}<a href="{{url lnik}}">Reset</a>{{/if}}
{{#each product}}{{this}}{{label}}{{../lcoale}}{{/each}}
{{#with product as |shop|}}{{name}}{{shop.name}}{{/with}}
`
  const found = await lines(t, override('identity.password_reset'), { files: { 'mail.hbs': mail } })
  t.deepEqual(
    found.map(line => line.replace(/ →.*/, '')),
    [
      'error unknown_template_name mail.hbs:2:14 Unknown name "product.nmae" in mail template "identity.password_reset"',
      'error unknown_template_name mail.hbs:3:3 Unknown name "workspace" in mail template "identity.password_reset"',
      'error unknown_template_name mail.hbs:5:12 Unknown name "nmae" in mail template "identity.password_reset"',
      'error unknown_template_name mail.hbs:6:28 Unknown name "lnik" in mail template "identity.password_reset"',
      'error unknown_template_name mail.hbs:7:37 Unknown name "lcoale" in mail template "identity.password_reset"',
    ],
  )
})

test('warns of a mail key that no module sends', async t => {
  const files = { 'mail.hbs': '---\nsubject: Welcome\n---\n<p>{{anything}}</p>\n' }
  t.deepEqual(await lines(t, override('identity.welcom'), { files }), [
    'warning unknown_mail_template recipe.yaml:5:3 No module sends the mail template "identity.welcom" → Did you mean "identity.welcome"?',
  ])
  t.deepEqual(await lines(t, override('acme.launch'), { files }), [])
})
