/** The most common leaked passwords of at least 8 characters, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword passwort passwort1 12345678
  123456789 1234567890 12345678910 87654321 987654321 0987654321 11111111 111111111 1111111111 00000000 000000000
  22222222 33333333 44444444 55555555 66666666 77777777 88888888 99999999 12121212 123123123 12341234 11223344
  1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc q1w2e3r4 q1w2e3r4t5 qwertyui qwertyuiop qwerty123 qwerty1234 qwerty12
  qwertz123 azertyuiop asdfghjk asdfghjkl asdf1234 zxcvbnm1 zxcvbnm123 1234qwer qwer1234 abcd1234 abcdefgh abc12345
  abc123456 a1b2c3d4 a1234567 a12345678 aa123456 aa12345678 iloveyou iloveyou1 sunshine sunshine1 princess princess1
  football football1 baseball baseball1 basketball superman superman1 batman123 spiderman starwars pokemon1 dragon123
  monkey123 master123 shadow123 michael1 jennifer jordan23 charlie1 computer internet samsung1 whatever trustno1
  letmein1 letmein123 welcome1 welcome12 welcome123 changeme changeme1 default1 admin123 admin1234 administrator
  root1234 test1234 testtest testing1 guest123 user1234 secret123 access14 freedom1 mustang1 corvette liverpool
  chelsea1 arsenal1 november december september pass1234 pass12345 hello123 hallo123 google123 facebook facebook1`.split(
    /\s+/,
  ),
)
