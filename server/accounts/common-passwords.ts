/**
 * Passwords that guessing programs try first, in lower case; shorter ones are refused by their length anyway.
 * Data only.
 */

/** Common passwords of eight characters and more. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
    !@#$%^&* !qaz2wsx !qazxsw2 00000000 000000000 0000000000 0123456789 0987654321 10101010 11111111
    111111111 1111111111 11223344 1122334455 112233445566 12121212 123123123 123321123 12341234 12344321
    123454321 12345678 123456780 123456789 1234567890 12345678910 123456789a 123456789q 12345678a
    12345678q 1234567a 123456abc 123456qwerty 1234qwer 123abc123 123qwe123 13131313 14141414 147258369
    159357159 159753159 1a2b3c4d 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz!qaz 1qaz2wsx 1qaz2wsx3edc
    20202020 21212121 22222222 31415926 33333333 44444444 55555555 5555555555 55555555a 66666666
    69696969 741852963 77777777 789456123 87654321 88888888 888888888 963852741 987654321 9876543210
    99999999 999999999 a1234567 a12345678 a123456789 a1b2c3d4 aa123456 aa12345678 abc12345 abc123456
    abc123abc abcd1234 abcdefgh abcdefghi access14 admin123 admin1234 admin12345 adminadmin
    administrator administrator1 alexander alexandra andrew123 android1 angel123 angels123 anthony1
    arsenal1 asdf1234 asdfasdf asdfghjk asdfghjkl ashley123 assassin asshole1 autumn123 azertyui
    azertyuiop baby1234 babygirl babygirl1 bailey123 banana123 barcelona barcelona1 baseball baseball1
    basketball batman123 beatles1 benjamin blackjack blahblah blessed1 blink182 bookmark1 brooklyn
    brooklyn1 buddy123 bulldogs bullshit buster123 butterfly butterfly1 california champion champion1
    changeme changeme1 changeme123 charlie1 charlotte cheese123 chelsea1 chicago1 chocolate chocolate1
    christian christina christine christmas christmas1 computer computer1 cookie123 corvette counter1
    cowboy123 cowboys1 crystal1 cupcake1 daniel123 danielle darkness darkside december default1 destiny1
    diablo123 diamond1 dolphin1 dolphins dragon123 eagles123 einstein elephant elizabeth emerald1
    eminem123 facebook facebook1 faith123 february ferrari1 fishing1 football football1 football123
    forever1 forever21 forgetme fortnite1 freedom1 friday13 fuckyou1 fuckyou123 fuckyou2 gandalf1
    garfield ginger123 godisgood goodbye1 goodluck google123 guest123 guitar123 hallelujah harley123
    harleydavidson hello123 hello1234 hello12345 hellohello hellokitty helloworld hogwarts hunter123
    hunter22 hunting1 ilovegod ilovehim iloveme1 iloveu12 iloveyou iloveyou1 iloveyou123 iloveyou2
    instagram internet internet1 iphone123 isabella january1 jasmine1 jennifer jennifer1 jessica1
    jesus123 jesuschrist jonathan jordan123 jordan23 joshua123 juventus kangaroo kawasaki killer123
    killzone knowledge lakers24 letmein1 letmein123 letmeinnow letmepass linkedin1 liverpool liverpool1
    login123 loginlogin lollipop london123 lovelove loveyou1 lucky123 maggie123 manchester manutd123
    marshmallow master123 matthew1 maverick memories mercedes metallica metallica1 michael1 michael123
    michelle michelle1 michigan1 mickey123 microsoft midnight minecraft minecraft1 monday123 mongoose
    monkey123 moonlight motorola mustang1 mustang69 mymemory mypass123 mypassword netflix1 newpassword
    newyork1 nicholas nintendo nirvana1 nopassword notebook1 november number1! october1 opensesame
    orange123 p4ssw0rd p@ssw0rd p@ssw0rd1 p@ssword pa55w0rd pa55word panther1 pass1234 pass12345
    pass123456 passpass passw0rd passw0rd! passw0rd1 password password! password1 password1! password12
    password123 password1234 password12345 passwort passwort1 patricia patriots peanut123 pepper123
    phoenix1 pikachu1 playstation pokemon1 pokemon123 porsche911 princess princess1 pwd12345 q1w2e3r4
    q1w2e3r4t5 qazwsx123 qazwsxedc qweasd123 qweasdzxc qwerty!@ qwerty12 qwerty123 qwerty1234
    qwerty12345 qwerty123456 qwertyui qwertyuiop qwertz123 qwertzuiop raiders1 rainbow1 ranger123
    realmadrid redskins remember rememberme richard1 robert123 rockstar rocky123 rockyou1 root1234
    rootroot sailing1 samantha samsung1 samsung123 sapphire saturday scoobydoo scorpio1 scorpion
    secret12 secret123 september1 shadow123 slipknot snoopy123 snowball snowflake softball sophie123
    spiderman spongebob spring123 spring2024 spring2025 spring2026 stallion starlight starwars starwars1
    steelers stephanie strawberry summer123 summer2023 summer2024 summer2025 summer2026 sundays1
    sunshine sunshine1 superadmin superman superman1 superstar superuser sweetheart temp1234 temporary
    test1234 test12345 testing1 testing123 testtest thepassword thomas123 thunder1 tigers123 tigger123
    tinkerbell toor1234 topsecret trustno1 twitter1 user1234 username veronica victoria virginia1
    voldemort volleyball warcraft welcome! welcome1 welcome12 welcome123 welcome1234 whatever whatever1
    whatsup1 wildcats william1 windows1 winner123 winnie123 winter123 winter2023 winter2024 winter2025
    winter2026 yamaha123 yankees1 yourpassword youtube1 zaq12wsx zaq1zaq1 zxcvbnm, zxcvbnm1 zxcvbnm123
  `
    .trim()
    .split(/\s+/),
);
