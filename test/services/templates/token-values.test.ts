import test from 'ava'
import { hasKind, invalidReason, kindOf } from '../../../services/templates/token-values.ts'

test('rejects values that would consume the following tokens', t => {
  for (const value of [
    'red;',
    'a{',
    'rgb(1, 2',
    'x)',
    '[a)',
    '"Inter',
    "'a\\'",
    'red /* dark',
    'a\\',
    '',
    'x'.repeat(201),
  ])
    t.truthy(invalidReason(value), value)
  for (const value of ['red', '"A (b", serif', "'it\\'s'", 'min(2px, calc(1rem * 2))', '0 1px 2px rgb(16 24 40 / 6%)'])
    t.is(invalidReason(value), undefined, value)
})

test('derives the kind of a token from the value in the theme', t => {
  t.deepEqual(['#3544d6', '#fff', '10px', '.5rem', 'none', 'var(--font)', 'red'].map(kindOf), [
    'color',
    'color',
    'length',
    'length',
    undefined,
    undefined,
    undefined,
  ])
})

test('recognizes colors and lengths', t => {
  const colours = [
    '#0a7d4f',
    '#FFF8',
    'Navy',
    'lightgray',
    'rgb(1 2 3 / 50%)',
    'color-mix(in oklab, red, blue)',
    'var(--x)',
  ]
  for (const colour of colours) t.true(hasKind('color', colour), colour)
  for (const other of ['#12345', 'bleu', '12px', 'url(x)', 'rgb()', 'red blue']) t.false(hasKind('color', other), other)
  for (const length of ['0px', '10px', '-.5em', '1.25rem', '50%', 'clamp(1px, 2vw, 3px)'])
    t.true(hasKind('length', length), length)
  for (const other of ['0', '10', 'red', '10 px', '10px 4px', 'px']) t.false(hasKind('length', other), other)
})
