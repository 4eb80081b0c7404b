import test from 'ava'
import { inviteesIn } from '../../../../../../modules/identity/workspaces/members/pages/invite-form.ts'

const emails = (text: string) => inviteesIn({ emails: text, role: 'tenant.member' }).map(({ email }) => email)

test('a pasted list is split at commas, semicolons, spaces and line breaks', t => {
  t.deepEqual(emails('a@x.test, b@x.test;c@x.test d@x.test\r\ne@x.test'), [
    'a@x.test',
    'b@x.test',
    'c@x.test',
    'd@x.test',
    'e@x.test',
  ])
})

test('a list as mail programs copy it gives the addresses without the names', t => {
  t.deepEqual(emails('Ada Lovelace <ada@x.test>, "Hopper, Grace" <grace@x.test>; <bob@x.test>'), [
    'ada@x.test',
    'grace@x.test',
    'bob@x.test',
  ])
})

test('text without an address is kept, so that the page can say that it is none', t => {
  t.deepEqual(emails('nobody, , '), ['nobody'])
})

test('an address in several rows gets the roles of all of them, once', t => {
  const form = {
    'email:1': 'ada@x.test',
    'role:1': 'tenant.member',
    'email:2': 'ADA@x.test',
    'role:2': 'team.support',
    'email:3': 'ada@x.test',
    'role:3': 'team.support',
    'email:4': 'bob@x.test',
    'role:4': '',
  }
  t.deepEqual(inviteesIn(form), [
    { email: 'ada@x.test', roles: ['tenant.member', 'team.support'] },
    { email: 'bob@x.test', roles: [] },
  ])
})
