// Pairs of questions, written by hand: what asks the same in other words, what only reads alike, and what the guard cannot tell apart.

/** Two inputs. */
export type Pair = readonly [one: string, other: string];

/** Must never be answered with each other's answer, however near their vectors are; by what tells them apart. */
export const NEAR_MISSES: Readonly<Record<string, readonly Pair[]>> = {
  numbers: [
    ['Is a dose of 400 mg safe for an adult?', 'Is a dose of 800 mg safe for an adult?'],
    ['How do I cook rice for 2 people?', 'How do I cook rice for 12 people?'],
    ['What is 15% of 80?', 'What is 80% of 15?'],
    ['Explain error 404', 'Explain error 403'],
    ['What changed in version 3.1?', 'What changed in version 3.10?'],
    ['What is the square root of 16?', 'What is the square root of -16?'],
    ['Where is order 10045?', 'Where is order 10054?'],
    ['How many are two hundred?', 'How many are two thousand?'],
    ['Can three people share one licence?', 'Can four people share one licence?'],
    ['What does a ticket for $20 include?', 'What does a ticket for €20 include?'],
    ['Is x < 5 true for all values?', 'Is x > 5 true for all values?'],
    ['What is 3 + 4?', 'What is 3 × 4?'],
    ['Who came first in the race?', 'Who came third in the race?'],
    ['Is 1,000 enough for a week?', 'Is 10,000 enough for a week?'],
  ],
  units: [
    ['How far is 10 km in steps?', 'How far is 10 mi in steps?'],
    ['Is 40 °C dangerous?', 'Is 40 °F dangerous?'],
    ['Take 5 ml with food', 'Take 5 mg with food'],
    ['Give me the height in meters', 'Give me the height in feet'],
    ['What does the plan cost monthly?', 'What does the plan cost yearly?'],
    ['Convert the price into dollars', 'Convert the price into euros'],
    ['How long is the flight in hours?', 'How long is the flight in minutes?'],
    ['Is 16 GB enough?', 'Is 16 MB enough?'],
    ['Meet me at 7 am', 'Meet me at 7 pm'],
  ],
  dates: [
    ['Are you open on monday?', 'Are you open on sunday?'],
    ['What happened on 2024-03-01?', 'What happened on 2024-01-03?'],
    ['Who won the cup in 1998?', 'Who won the cup in 2002?'],
    ['What is the weather today?', 'What is the weather tomorrow?'],
    ['Is the office closed in december?', 'Is the office closed in august?'],
    ['What were the sales last year?', 'What are the sales next year?'],
    ['Should I eat before training?', 'Should I eat after training?'],
    ['Was the invoice due 3 days ago?', 'Was the invoice due 30 days ago?'],
    ['Is lunch served at 12:30?', 'Is lunch served at 13:30?'],
  ],
  negations: [
    ['Can I take this with alcohol?', 'Can I not take this with alcohol?'],
    ['Why does the door open?', "Why doesn't the door open?"],
    ['Which foods contain gluten?', 'Which foods contain no gluten?'],
    ['Is it safe to drive with glasses?', 'Is it safe to drive without glasses?'],
    ['When should I restart the server?', 'When should I never restart the server?'],
    ['Everyone may enter?', 'Nobody may enter?'],
    ['Ist das erlaubt?', 'Ist das nicht erlaubt?'],
    ['Darf ich mit Hund rein?', 'Darf ich ohne Hund rein?'],
    ['Est-ce que je peux fumer ici?', 'Est-ce que je ne peux pas fumer ici?'],
    ['Puedo entrar con perro?', 'Puedo entrar sin perro?'],
    ['All days except holidays?', 'All days and holidays?'],
    ['You can cancel, right?', 'You can’t cancel, right?'],
  ],
  quotes: [
    ['Translate "good morning" into German', 'Translate "good night" into German'],
    ['What does `git reset` do?', 'What does `git revert` do?'],
    ["Spell the word 'desert'", "Spell the word 'dessert'"],
    ['Who said “I have a dream”?', 'Who said “I had a dream”?'],
    ['Erkläre „Schadenfreude“ kurz', 'Erkläre „Vorfreude“ kurz'],
  ],
  names: [
    ['What is the capital of France?', 'What is the capital of Finland?'],
    ['Is the train from Paris to London late?', 'Is the train from London to Paris late?'],
    ['Who is the CEO of Siemens?', 'Who is the CFO of Siemens?'],
    ['Does it run on iOS?', 'Does it run on macOS?'],
    ['How old is Anna?', 'How old is Hanna?'],
    ['Compare DynamoDB with Aurora', 'Compare Aurora with DynamoDB'],
    ['Tell me about Georgia. Is it safe?', 'Tell me about Serbia. Is it safe?'],
    ["What is Ada's role?", "What is Bob's role?"],
  ],
  literals: [
    ['Why does index.html not load?', 'Why does main.html not load?'],
    ['Who is ann@example.com?', 'Who is bob@example.com?'],
    ['What is in /etc/passwd?', 'What is in /etc/shadow?'],
    ['Explain max_tokens', 'Explain max_retries'],
  ],
};

/** Ask the same in other words: the guard must let them pass. */
export const PARAPHRASES: readonly Pair[] = [
  ['How do I reset my password?', 'How can I reset my password?'],
  ['how do i reset my password', 'How do I change my forgotten password?'],
  ['What is the capital of France?', 'Which city is the capital of France?'],
  ['Is a dose of 400 mg safe?', 'Is a dose of 400mg safe?'],
  ['Explain error 404', 'What does error 404 mean?'],
  ['What are your opening hours?', 'Which are your opening hours?'],
  ['Can three people share a licence?', 'Can 3 people share a licence?'],
  ["Why doesn't the door open?", 'Why does the door not open?'],
  ['You cannot cancel, right?', "You can't cancel, right?"],
  ['I want my money back', 'I would like to get a refund'],
  ['What does "ciao" mean?', 'Tell me the meaning of "ciao"'],
  ['Does the app run on iOS 17?', 'Is it possible to run the app on iOS 17?'],
  ['How do I cancel my subscription?', 'Where can I cancel the subscription?'],
  ['Are you open on monday?', 'Is the shop open on Monday?'],
  ['My parcel is late. What can I do?', 'What can I do? My parcel is late.'],
  ['Where is my order?', 'Where is my order'],
];

/** Ask something else, and the guard does not see it: only the threshold stands between them. */
export const UNSEEN: readonly Pair[] = [
  ['How do I enable the alarm?', 'How do I disable the alarm?'],
  ['Which plan is the cheapest?', 'Which plan is the most expensive?'],
  ['what is the weather in paris', 'what is the weather in rome'],
  ['Paris weather', 'Rome weather'],
  ['Does the cat chase the dog?', 'Does the dog chase the cat?'],
  ['Increase the volume', 'Decrease the volume'],
];
