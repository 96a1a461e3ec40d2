using System.Text;

namespace EventHubThroughput.Emulator.Rules;

/// <summary>Splits the text of an SQL expression into tokens.</summary>
internal sealed class SqlLexer(string text)
{
    private static readonly string[] Signs = ["<>", "<=", ">=", "!=", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", ",", "."];

    private int _at;
    private int _line = 1;
    private int _lineStart;

    /// <exception cref="SqlSyntaxException">The next characters are not a token.</exception>
    public SqlToken Next()
    {
        SkipWhiteSpace();
        var start = _at;
        return Letter(0) switch
        {
            '\0' when start == text.Length => Token(SqlTokenKind.End, start),
            '\'' => Quoted(SqlTokenKind.Text, '\''),
            '"' => Quoted(SqlTokenKind.Name, '"'),
            '[' => Quoted(SqlTokenKind.Name, ']'),
            '@' when char.IsLetter(Letter(1)) => Word(SqlTokenKind.Parameter),
            var letter when char.IsLetter(letter) => Word(SqlTokenKind.Word),
            var letter when char.IsAsciiDigit(letter) || (letter == '.' && char.IsAsciiDigit(Letter(1))) => Number(),
            _ => Sign(),
        };
    }

    private static bool IsNameLetter(char letter) => char.IsLetter(letter) || char.IsDigit(letter) || letter == '_';

    // The end of the text reads as a letter that no text contains.
    private char Letter(int ahead) => _at + ahead < text.Length ? text[_at + ahead] : '\0';

    private void SkipWhiteSpace()
    {
        for (; char.IsWhiteSpace(Letter(0)); _at++)
        {
            if (text[_at] == '\n')
            {
                _line++;
                _lineStart = _at + 1;
            }
        }
    }

    private SqlToken Word(SqlTokenKind kind)
    {
        var start = _at++;
        SkipName();
        return Token(kind, start);
    }

    private SqlToken Number()
    {
        var start = _at;
        SkipDigits();
        var kind = SqlTokenKind.Integer;
        if (Letter(0) == '.')
        {
            kind = SqlTokenKind.Decimal;
            _at++;
            SkipDigits();
        }

        if (Letter(0) is 'e' or 'E' && char.IsAsciiDigit(Letter(Letter(1) is '+' or '-' ? 2 : 1)))
        {
            kind = SqlTokenKind.Decimal;
            _at += 2;
            SkipDigits();
        }

        if (IsNameLetter(Letter(0)))
        {
            SkipName();
            throw new SqlSyntaxException(Token(kind, start), "neither a number nor a name");
        }

        return Token(kind, start);
    }

    // A doubled closing mark is a literal one.
    private SqlToken Quoted(SqlTokenKind kind, char closing)
    {
        var (start, line, lineStart) = (_at++, _line, _lineStart);
        var content = new StringBuilder();
        for (; _at < text.Length; _at++)
        {
            if (text[_at] == closing && Letter(1) != closing)
            {
                _at++;
                return new SqlToken(kind, text[start.._at], content.ToString(), line, start - lineStart + 1);
            }

            if (text[_at] == closing)
            {
                _at++;
            }
            else if (text[_at] == '\n')
            {
                _line++;
                _lineStart = _at + 1;
            }

            content.Append(text[_at]);
        }

        throw new SqlSyntaxException(new SqlToken(kind, text[start..], string.Empty, line, start - lineStart + 1), $"its closing {closing} is missing");
    }

    private SqlToken Sign()
    {
        var start = _at;
        foreach (var sign in Signs)
        {
            if (string.CompareOrdinal(text, start, sign, 0, sign.Length) == 0)
            {
                _at += sign.Length;
                return Token(SqlTokenKind.Sign, start);
            }
        }

        _at += char.IsSurrogatePair(Letter(0), Letter(1)) ? 2 : 1;
        throw new SqlSyntaxException(Token(SqlTokenKind.Sign, start), "unexpected character");
    }

    private void SkipDigits()
    {
        while (char.IsAsciiDigit(Letter(0)))
        {
            _at++;
        }
    }

    private void SkipName()
    {
        while (IsNameLetter(Letter(0)))
        {
            _at++;
        }
    }

    private SqlToken Token(SqlTokenKind kind, int start) => new(kind, text[start.._at], text[start.._at], _line, start - _lineStart + 1);
}
