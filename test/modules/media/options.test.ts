import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import { MediaOptions } from '../../../modules/media/options.ts'

test('the scanner is at a host that can exist', t => {
  const validate = new Ajv2020().compile(MediaOptions.properties.scanner.properties.url)
  for (const url of ['', 'tcp://127.0.0.1:3310', 'tcp://clamd:3310', 'tcp://[::1]:3310']) t.true(validate(url), url)
  for (const url of ['tcp://a..b:3310', 'tcp://-a:3310', 'tcp://a b:3310', 'tcp://a:0', 'tcp://a:99999', 'clamd:3310'])
    t.false(validate(url), url)
})
