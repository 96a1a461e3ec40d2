using System.Xml.Linq;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>The namespaces of the management protocol.</summary>
internal static class AtomNames
{
    /// <summary>The query parameter that every request of this protocol has, and no other request here.</summary>
    public const string VersionParameter = "api-version";

    public const string ContentType = "application/atom+xml";

    public static readonly XNamespace Atom = "http://www.w3.org/2005/Atom";

    public static readonly XNamespace ServiceBus = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";

    public static readonly XNamespace Counts = "http://schemas.microsoft.com/netservices/2011/06/servicebus";

    public static readonly XNamespace Instance = "http://www.w3.org/2001/XMLSchema-instance";

    public static readonly XNamespace Schema = "http://www.w3.org/2001/XMLSchema";
}
