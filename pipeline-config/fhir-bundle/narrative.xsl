<?xml version="1.0" encoding="UTF-8"?>
<!-- The text for people, without its layout: that of a Composition, section by section, and that of every other
     resource. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:f="http://hl7.org/fhir" xmlns:x="http://www.w3.org/1999/xhtml" exclude-result-prefixes="f x">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/">
    <Narrative><xsl:apply-templates select="f:*[not(self::f:Bundle)] | f:Bundle/f:entry/f:resource/f:Composition"/>
      <xsl:apply-templates select="f:Bundle/f:entry/f:resource/*[not(self::f:Composition)][f:text/x:div]"/>
    </Narrative>
  </xsl:template>

  <xsl:template match="f:*">
    <Section title=""><xsl:apply-templates select="f:text/x:div"/></Section>
  </xsl:template>

  <xsl:template match="f:Composition">
    <xsl:apply-templates select="f:section"/>
    <xsl:if test="not(f:section/f:text) and f:text"><Section title=""><xsl:apply-templates select="f:text/x:div"/></Section></xsl:if>
  </xsl:template>

  <xsl:template match="f:section">
    <Section>
      <xsl:attribute name="title">
        <xsl:value-of select="f:title/@value"/>
        <xsl:if test="not(f:title/@value)"><xsl:value-of select="(f:code/f:text/@value | f:code/f:coding/f:display/@value)[1]"/></xsl:if>
      </xsl:attribute>
      <xsl:apply-templates select="f:text/x:div"/>
      <xsl:apply-templates select="f:section"/>
    </Section>
  </xsl:template>

  <!-- Elements that only describe layout are replaced by what they contain. -->
  <xsl:template match="x:*"><xsl:apply-templates/></xsl:template>
  <xsl:template match="x:*/text()"><Text><xsl:value-of select="."/></Text></xsl:template>
  <xsl:template match="x:br"><Break/></xsl:template>
  <xsl:template match="x:div | x:p | x:h1 | x:h2 | x:h3 | x:h4 | x:h5 | x:h6 | x:blockquote | x:pre | x:caption | x:dt | x:dd"><Paragraph><xsl:apply-templates/></Paragraph></xsl:template>
  <xsl:template match="x:style | x:script"/>
  <!-- Pictures stand below the text, which says what the sender wrote instead of each. -->
  <xsl:template match="x:img"><Text><xsl:value-of select="@alt"/></Text></xsl:template>

  <xsl:template match="x:ul | x:ol"><List><xsl:apply-templates select="x:li"/></List></xsl:template>
  <xsl:template match="x:li"><Item><xsl:apply-templates/></Item></xsl:template>

  <xsl:template match="x:table">
    <xsl:apply-templates select="x:caption"/>
    <Table><xsl:apply-templates select="x:thead/x:tr | x:tr | x:tbody/x:tr | x:tfoot/x:tr"/></Table>
  </xsl:template>
  <xsl:template match="x:tr"><Row><xsl:apply-templates select="x:th | x:td"/></Row></xsl:template>
  <xsl:template match="x:thead/x:tr | x:tr[x:th and not(x:td)]"><Row head="true"><xsl:apply-templates select="x:th | x:td"/></Row></xsl:template>
  <xsl:template match="x:th | x:td"><Cell><xsl:apply-templates/></Cell></xsl:template>
</xsl:stylesheet>
