import test from 'ava'
import { currencyDigits, decimalAmount, formatMoney, parseAmount, plainNumber } from '../../../kernel/base/money.ts'

const spaced = (text: string) => text.replace(/\s/g, ' ')

test('takes amounts as the payment provider charges them', t => {
  // https://docs.stripe.com/currencies#zero-decimal
  for (const currency of 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
    t.is(currencyDigits(currency), 0, currency)
  for (const currency of 'BHD JOD KWD OMR TND'.split(' ')) t.is(currencyDigits(currency), 3, currency)
  // Tables of Intl have no digits for these.
  for (const currency of 'AFN ALL COP HUF IDR ISK LAK LBP MMK PKR RSD SLL SOS UGX YER EUR USD TWD'.split(' '))
    t.is(currencyDigits(currency), 2, currency)
})

test('shows whole amounts of currencies that have no coins without decimals', t => {
  t.is(spaced(formatMoney('hu', 299_000, 'HUF')), '2990 Ft')
  t.is(spaced(formatMoney('en', 299_000, 'HUF')), 'HUF 2,990')
  t.is(spaced(formatMoney('is', 2900, 'ISK')), '29 kr.')
  t.is(spaced(formatMoney('en', 2950, 'ISK')), 'ISK 29.50')
  t.is(spaced(formatMoney('en', 2900, 'EUR')), '€29.00')
  t.is(spaced(formatMoney('en', 2900, 'JPY')), '¥2,900')
  t.is(spaced(formatMoney('de', -2905, 'KWD')), '-2,905 KWD')
  t.is(spaced(formatMoney('en', 9_007_199_254_740_991, 'EUR')), '€90,071,992,547,409.91')
})

test('reads the decimal text of every amount as the same amount', t => {
  for (const currency of ['EUR', 'JPY', 'KWD', 'ISK', 'CLF'])
    for (const amount of [0, 1, -1, 10, 99, 1000, -123_456, 9_007_199_254_740_991])
      t.is(parseAmount(decimalAmount(amount, currency), currency), amount, `${currency} ${amount}`)
})

test('rounds no amount', t => {
  t.is(parseAmount('49,5', 'EUR'), 4950)
  t.is(parseAmount('49', 'EUR'), 4900)
  for (const text of ['49.505', '1e3', '', '4 9', '49.5.0', '999999999999999.99', 'x', '--1'])
    t.is(parseAmount(text, 'EUR'), undefined, text)
  t.is(parseAmount('100.5', 'JPY'), undefined)
})

test('guesses no amount that is thousands to some readers', t => {
  for (const text of ['1.000', '1,000', '49.500', '-12,340']) t.is(parseAmount(text, 'EUR'), undefined, text)
  t.is(parseAmount('1.000', 'JPY'), undefined)
  t.is(parseAmount('1.234', 'KWD'), 1234)
  for (const text of ['1,234', '-12,500', '999,999']) {
    t.is(parseAmount(text, 'KWD'), undefined, text)
    t.is(parseAmount(text, 'CLF'), undefined, text)
  }
  t.is(parseAmount('0.500', 'EUR'), 50)
  t.is(parseAmount('1000.500', 'EUR'), 100_050)
})

test('reads an amount in the notation of either language where it can be read in one way', t => {
  const cases: readonly [text: string, currency: string, amount: number | undefined][] = [
    ['1234', 'JPY', 1234],
    ['1.234', 'JPY', undefined],
    ['1,234', 'JPY', undefined],
    ['12.0', 'JPY', 12],
    ['12,0', 'JPY', 12],
    ['1.23', 'EUR', 123],
    ['1,23', 'EUR', 123],
    ['0,125', 'EUR', undefined],
    ['1.234', 'EUR', undefined],
    ['1,234', 'EUR', undefined],
    ['1.2', 'KWD', 1200],
    ['1,2', 'KWD', 1200],
    ['1,23', 'KWD', 1230],
    ['0,125', 'KWD', 125],
    ['-0,125', 'KWD', -125],
    ['1234,567', 'KWD', 1_234_567],
    ['1234.567', 'KWD', 1_234_567],
    ['1.2345', 'KWD', undefined],
    ['1,2345', 'KWD', undefined],
    ['1,2340', 'KWD', 1234],
    ['1,2345', 'CLF', 12_345],
  ]
  for (const [text, currency, amount] of cases) t.is(parseAmount(text, currency), amount, `${text} ${currency}`)
})

test('reads numbers with the signs of either language, and refuses those that can be read in two ways', t => {
  const cases: readonly [text: string, decimalComma: boolean, isWhole: boolean, plain: string | undefined][] = [
    ['1.000', true, true, '1000'],
    ['1.000', false, true, undefined],
    ['1,000', false, true, '1000'],
    ['1,000', true, true, undefined],
    ['-12.500', true, true, '-12500'],
    ['3.0', false, true, '3.0'],
    ['1.234', true, false, undefined],
    ['1.234', false, false, '1.234'],
    ['1,234', true, false, '1.234'],
    ['1,234', false, false, undefined],
    ['1.234.567', true, false, '1234567'],
    ['1.234,5', true, false, '1234.5'],
    ['1,234.5', false, false, '1234.5'],
    ["1'234.5", false, false, '1234.5'],
    ['0.125', true, false, '0.125'],
    ['+7', false, true, '7'],
    ['1e3', false, true, '1e3'],
    ['12 apples', false, true, '12 apples'],
    [' ', false, false, ' '],
  ]
  for (const [text, decimalComma, isWhole, plain] of cases)
    t.is(plainNumber(text, decimalComma, isWhole), plain, `${text} ${decimalComma} ${isWhole}`)
})
