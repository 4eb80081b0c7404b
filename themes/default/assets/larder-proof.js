/**
 * Solves the tasks of forms: at once, or with `data-challenge-when="used"` as soon as somebody fills in the form. An
 * element with `data-challenge-state` is shown while its task is `unsolved`, `working` or `solved`.
 */
const fromHex = text => Uint8Array.from(text.match(/../g) ?? [], digits => Number.parseInt(digits, 16))
const toHex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

async function solve({ nonce, salt, cost, keyLength, keyPrefix }) {
  const start = fromHex(nonce)
  const password = new Uint8Array(start.length + 4)
  password.set(start)
  const view = new DataView(password.buffer)
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: cost }
  for (let counter = 0; ; counter++) {
    view.setUint32(start.length, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = toHex(new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8)))
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey }
  }
}

function prepare(field) {
  const { form } = field
  const show = state => {
    for (const text of form.querySelectorAll('[data-challenge-state]'))
      text.hidden = text.dataset.challengeState !== state
  }
  const challenge = JSON.parse(field.dataset.challenge)
  let end
  const work = () => {
    show('working')
    return solve(challenge.parameters).then(
      solution => {
        field.value = btoa(JSON.stringify({ challenge, solution }))
        show('solved')
      },
      () => show('unsolved'),
    )
  }
  const start = () => {
    end ??= work().then(() => {
      end.isOver = true
    })
    return end
  }

  if (field.dataset.challengeWhen === 'used') {
    // The browser may have restored a solution that was sent before.
    field.value = ''
    show('none')
    form.addEventListener('focusin', start, { once: true })
    form.addEventListener('submit', event => {
      if (start().isOver) return
      event.preventDefault()
      const { submitter } = event
      end.then(() => form.requestSubmit(submitter))
    })
    return
  }
  const button = form.querySelector('button')
  button.disabled = true
  start().then(() => {
    button.disabled = false
  })
}

// Browsers have WebCrypto on https and localhost only.
if (globalThis.crypto?.subtle) for (const field of document.querySelectorAll('input[data-challenge]')) prepare(field)
