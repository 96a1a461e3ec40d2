namespace EventHubThroughput.Emulator.Rules;

/// <summary>Goes through the tokens of an SQL expression, one ahead.</summary>
internal sealed class SqlCursor
{
    private readonly SqlLexer _lexer;

    public SqlCursor(string text)
    {
        _lexer = new SqlLexer(text);
        Token = _lexer.Next();
    }

    /// <summary>The one that comes next.</summary>
    public SqlToken Token { get; private set; }

    public SqlToken Take()
    {
        var token = Token;
        Token = _lexer.Next();
        return token;
    }

    public bool TryTakeWord(string word) => TryTake(Token.IsWord(word));

    public bool TryTakeSign(string sign) => TryTake(Token.Is(sign));

    /// <exception cref="SqlSyntaxException">Something else comes.</exception>
    public void TakeWord(string word)
    {
        if (!TryTakeWord(word))
        {
            throw Token.Expected(word);
        }
    }

    /// <exception cref="SqlSyntaxException">Something else comes.</exception>
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
