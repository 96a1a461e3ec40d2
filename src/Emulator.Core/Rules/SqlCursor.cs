namespace EventHubThroughput.Emulator.Rules;

/// <summary>Reads the tokens of an SQL expression, with one token of lookahead.</summary>
internal sealed class SqlCursor
{
    private readonly SqlLexer _lexer;

    public SqlCursor(string text)
    {
        _lexer = new SqlLexer(text);
        Token = _lexer.Next();
    }

    /// <summary>The next token.</summary>
    public SqlToken Token { get; private set; }

    public SqlToken Take()
    {
        var token = Token;
        Token = _lexer.Next();
        return token;
    }

    public bool TryTakeWord(string word) => TryTake(Token.IsWord(word));

    public bool TryTakeSign(string sign) => TryTake(Token.Is(sign));

    /// <exception cref="SqlSyntaxException">The next token is a different one.</exception>
    public void TakeWord(string word)
    {
        if (!TryTakeWord(word))
        {
            throw Token.Expected(word);
        }
    }

    /// <exception cref="SqlSyntaxException">The next token is a different one.</exception>
    public void TakeSign(string sign)
    {
        if (!TryTakeSign(sign))
        {
            throw Token.Expected($"'{sign}'");
        }
    }

    private bool TryTake(bool isWanted)
    {
        if (isWanted)
        {
            Take();
        }

        return isWanted;
    }
}
