import { readFileSync } from 'node:fs'
import test from 'ava'
import { drawingOf, ICON_NAMES, isIconName } from '../../../../modules/content/domain/icons.ts'

test('every icon has a drawing that is one path, and the names are in order', t => {
  for (const name of ICON_NAMES) t.regex(drawingOf(name) ?? '', /^M[\d.\s,a-zA-Z-]+$/, name)
  t.deepEqual(ICON_NAMES.toSorted(), ICON_NAMES)
})

test('a sign is not the name of an icon', t => {
  for (const sign of ['♟', '👩‍💻', '+', 'A', '24/7', '§ 1']) t.false(isIconName(sign), sign)
  for (const name of ['users', 'share-2', 'Users']) t.true(isIconName(name), name)
  for (const unknown of ['Users', 'constructor', '♟']) t.is(drawingOf(unknown), undefined, unknown)
})

test('the documentation names every icon', t => {
  const [, page = ''] = readFileSync('docs/content.md', 'utf8').split('#### Icons\n')
  const [section = ''] = page.split('\n#')
  t.deepEqual(
    [...section.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
    ICON_NAMES,
  )
})
