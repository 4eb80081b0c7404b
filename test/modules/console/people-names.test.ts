/** How the console names people whose names are gone. */
import test from 'ava'
import { namelessPerson } from '../../../modules/console/app/data/people.ts'

const reader = (tenant: readonly string[], platform: readonly string[] = []) => ({
  may: (permission: string) => tenant.includes(permission),
  mayOnPlatform: (permission: string) => platform.includes(permission),
})
const operator = reader([], ['identity.user.read_all'])
const colleague = reader(['identity.member.read'])

test('to who reads every person, one without a name is deleted', t => {
  t.is(namelessPerson('usr_1', operator), 'deletedPerson')
})

test('to who reads the members, a person without a name has left', t => {
  t.is(namelessPerson('usr_1', colleague), 'formerMember')
})

test('a membership without a name has ended, also to who reads every person', t => {
  t.is(namelessPerson('mem_1', operator), 'formerMember')
  t.is(namelessPerson('mem_1', colleague), 'formerMember')
})

test('a name that may only be hidden says nothing about the person', t => {
  t.is(namelessPerson('usr_1', reader([])), undefined)
  t.is(namelessPerson('mem_1', reader([])), undefined)
})

test('other records without a name are no people', t => {
  t.is(namelessPerson('frm_1', operator), undefined)
})
