namespace Azure.Messaging;

[ReadFrom("Azure.Core", "1.46.2")]
public class MessageContent
{
    internal MessageContent() => throw null!;
}
