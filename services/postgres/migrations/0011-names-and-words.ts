/** How names are ordered, and the form in which searches compare texts. */
import type { Migration } from '@larder-dev/larder/kernel'

const IGNORED = String.raw`\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\ufeff`
/** Everything that isn't a letter, a digit or a space. */
const SEPARATORS = String.raw`!-/:-@[-${'`'}{-~\u00a1\u00a7\u00ab\u00b6\u00b7\u00bb\u00bf\u05be\u060c\u061b\u061f\u06d4\u0964\u0965\u0e2f\u0e4f\u0e5a\u0e5b\u0f0b\u0f0c\u104a\u104b\u17d4-\u17da\u2010-\u205e\u3001-\u3004\u3008-\u3020\u3030\u30fb`
/** Letters and vowel signs of scripts that are written without spaces, and Korean, whose words have endings. */
const JOINED = String.raw`\u0e01-\u0e4e\u0e81-\u0edf\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u17dd\u3005\u3007\u3041-\u312f\u31a0-\u31ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff`
const LETTERS = String.raw`\u0e01-\u0e30\u0e32-\u0e33\u0e3b-\u0e46\u0e81-\u0eb0\u0eb2-\u0eb3\u0ebd-\u0ec7\u0ecf-\u0edf\u1000-\u102a\u103f-\u1055\u105a-\u105d\u1061\u1065-\u1066\u106e-\u1070\u1075-\u1081\u108e-\u1099\u109e-\u109f\u1100-\u11ff\u1780-\u17b3\u3005\u3007\u3041-\u3098\u309b-\u312f\u31a0-\u31ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff`
const SIGNS = String.raw`\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u109a-\u109d\u17b4-\u17d3\u17dd\u3099\u309a`

export const up: Migration = async ({ query }) => {
  // The root of Unicode's order. Deterministic, so that equal names have equal bytes.
  await query(`create collation larder_names (provider = icu, locale = 'und')`)
  // Not strict: PostgreSQL puts the expression of such a function into a statement, which halves its time.
  await query(`create function larder_folded(value text) returns text language sql immutable parallel safe as $$
    select case when octet_length(value) = length(value) then lower(value collate "C")
      else replace(replace(replace(replace(translate(normalize(regexp_replace(
        lower(normalize(value, NFKD) collate "und-x-icu") collate "C", '[${IGNORED}]+', '', 'g'), NFC),
        'øđðħłŧıŋςىیکة‘’ʼ', 'oddhltinσييكه'''''''), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') end $$`)
  // A text whose words are separated by spaces. Of a text without spaces, each letter is joined with the next one, and
  // the last one stands alone: 测试工具 has the words 测试, 试工, 工具 and 具.
  await query(`create function larder_words(value text) returns text language sql immutable parallel safe as $$
    select case
      when octet_length(value) = length(value) then regexp_replace(lower(value collate "C"), '[!-/:-@[-\`{-~]+', ' ', 'g')
      else regexp_replace(
        regexp_replace(
          regexp_replace(larder_folded(value) collate "C", '[${SEPARATORS}]+', ' ', 'g'),
          '[${JOINED}]+', ' \\& ', 'g'),
        '(?<=[${JOINED}])[${LETTERS}][${SIGNS}]*', '\\& \\&', 'g') end $$`)
}
