namespace EventHubThroughput.Emulator.Rules;

/// <summary>The pattern of LIKE: <c>%</c> matches any letters or none, <c>_</c> matches any single letter.</summary>
internal sealed class SqlPattern
{
    /// <summary>A pattern may come from a message. One that is longer than an expression may be matches no text.</summary>
    public const int Longest = SqlParser.LongestText;

    // Steps are taken from the budget in groups, because counting each one would cost as much as the step.
    private const int StepsBetweenChecks = 256;

    private readonly List<Piece> _pieces;

    private SqlPattern(List<Piece> pieces) => _pieces = pieces;

    private enum Kind
    {
        Letter,
        AnyLetter,
        AnyLetters,
    }

    /// <param name="pattern">A text.</param>
    /// <param name="escape">The character that makes the next one literal. An empty text disables escapes.</param>
    /// <returns>Null when either has another type, or the pattern ends with the escape.</returns>
    public static SqlPattern? Of(object? pattern, object? escape)
    {
        if (pattern is not string { Length: <= Longest } letters || escape is not string { Length: <= 1 } mark)
        {
            return null;
        }

        var pieces = new List<Piece>(letters.Length);
        for (var i = 0; i < letters.Length; i++)
        {
            var isEscaped = mark.Contains(letters[i], StringComparison.Ordinal);
            if (isEscaped && ++i == letters.Length)
            {
                return null;
            }

            pieces.Add(new Piece(isEscaped ? Kind.Letter : GetKind(letters[i]), letters[i]));
        }

        return new SqlPattern(pieces);
    }

    /// <summary>Uses at most the number of letters of the text, multiplied by that of the pattern.</summary>
    /// <exception cref="RuleBudgetException">The message does not have enough steps left.</exception>
    public bool Matches(string text, RuleBudget budget)
    {
        var steps = 0;
        var (at, piece) = (0, 0);
        // The last '%', and the end of the letters that it matches so far. Only it may ever need to match one more.
        var (lastAny, taken) = (-1, 0);
        while (at < text.Length)
        {
            if (++steps == StepsBetweenChecks)
            {
                budget.Spend(steps);
                steps = 0;
            }

            if (piece < _pieces.Count && _pieces[piece].Kind == Kind.AnyLetters)
            {
                (lastAny, taken) = (piece++, at);
            }
            else if (piece < _pieces.Count && _pieces[piece].Fits(text[at]))
            {
                at++;
                piece++;
            }
            else if (lastAny >= 0)
            {
                (piece, at) = (lastAny + 1, ++taken);
            }
            else
            {
                budget.Spend(steps);
                return false;
            }
        }

        budget.Spend(steps);
        return _pieces.FindIndex(piece, static rest => rest.Kind != Kind.AnyLetters) < 0;
    }

    private static Kind GetKind(char letter) =>
        letter switch
        {
            '%' => Kind.AnyLetters,
            '_' => Kind.AnyLetter,
            _ => Kind.Letter,
        };

    private readonly record struct Piece(Kind Kind, char Letter)
    {
        public bool Fits(char letter) => Kind == Kind.AnyLetter || Letter == letter;
    }
}
